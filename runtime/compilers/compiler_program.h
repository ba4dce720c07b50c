// compiler_program: one compilation by a compiler that is a library, NVRTC or hiprtc. Both have the
// same functions under names of their own.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace alphasparse {

/// A program of the compiler's, destroyed with us. `Api` is the table of its functions.
template <class Api>
class CompilerProgram {
 public:
  /// Error lines begin with the source's name.
  CompilerProgram(const Api& api, const char* source_name) : api_(api), source_name_(source_name) {}
  ~CompilerProgram() {
    if (program_ != nullptr) api_.destroy_program(&program_);
  }
  CompilerProgram(const CompilerProgram&) = delete;
  CompilerProgram& operator=(const CompilerProgram&) = delete;

  /// The compiler's code.
  int compile(const std::string& source, const std::vector<std::string>& options) {
    const int created =
        api_.create_program(&program_, source.c_str(), source_name_, 0, nullptr, nullptr);
    if (created != 0) return created;
    std::vector<const char*> pointers;
    for (const std::string& option : options) pointers.push_back(option.c_str());
    return api_.compile_program(program_, static_cast<int>(pointers.size()), pointers.data());
  }

  std::string log() const { return text(&Api::log_bytes, &Api::log); }

  /// Machine code; empty where there is none.
  std::vector<std::byte> code() const {
    std::size_t bytes = 0;
    if (program_ == nullptr || api_.code_bytes(program_, &bytes) != 0) return {};
    std::vector<std::byte> image(bytes);
    if (api_.code(program_, reinterpret_cast<char*>(image.data())) != 0) return {};
    return image;
  }

  /// A result of the compiler that is text, by the functions for its bytes and for itself.
  template <class Size, class Get>
  std::string text(Size Api::*size, Get Api::*get) const {
    std::size_t bytes = 0;  // with the closing zero
    if (program_ == nullptr || (api_.*size)(program_, &bytes) != 0 || bytes == 0) return {};
    std::string result(bytes, '\0');
    if ((api_.*get)(program_, result.data()) != 0) return {};
    result.resize(bytes - 1);
    return result;
  }

 private:
  const Api& api_;
  const char* source_name_;
  typename Api::Program program_ = nullptr;
};

}  // namespace alphasparse
