// syntax: does not compile.
KERNEL(256) { out[0] = missing_name; }
