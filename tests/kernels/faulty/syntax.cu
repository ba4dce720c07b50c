// syntax: does not compile.
KERNEL(256) { out.y[0] = missing_name; }
