// empty: nothing at all - what launching a kernel takes.
struct Format {};

extern "C" __global__ void __launch_bounds__(32) empty(const Format, const Value*, const Output) {}
