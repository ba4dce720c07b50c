// empty: nothing at all - the time of launching a kernel.
extern "C" __global__ void __launch_bounds__(32) empty(const Value*, Value*, Value, Value) {}
