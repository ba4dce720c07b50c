// empty: a part that does nothing - what it takes to hand one to the threads.
struct Format {
  const Value* nothing_;
};

static void nothing(const Format&, const Value*, Output, int, int) {}

static const Part parts[] = {{nothing, 1, nullptr, nullptr}};
