// version: the generator's own number, apart from the release's.
//
// A winner of the tuning database stands for the text and the arrays that this generator makes of
// its design, verified by the checks of `verify`. A change of emitted text, of a layout or of those
// checks raises the number, so that old winners do not answer with old text. A test holds it
// against a hash of all three (tests/designs/version_test.cpp).
//
// Databases and files know the first one by the release that it came with, "0.1.0"; those after it
// are "2", "3" and so on. Versions are equal or not: their order has no meaning.
#pragma once

namespace alphasparse {

inline constexpr const char* generator_version = "21";

/// The first generator whose designs take the times, one beside the other, that this one's take. A
/// change that moves them sets it to the number of this one, and tools/make_experience makes the
/// shipped experience anew: a test fails until then.
inline constexpr int experience_since = 14;

}  // namespace alphasparse
