// refusal_driver: asks a standalone kernel to load a file, and prints why it does not.
//
// Usage: refusal_driver FILE. Where the file is taken, it exits with 0 and prints nothing.
int main(int, char** arguments) {
  alphasparse_handle* handle = nullptr;
  const int status = a_load(arguments[1], &handle);
  a_free(handle);
  if (status == alphasparse_ok) return 0;
  std::printf("%s\n", a_message());
  return status;
}
