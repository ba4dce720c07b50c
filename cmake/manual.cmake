# manual: writes a manual page, and completion for three shells, below PREFIX/share. The texts come
# from PREFIX/bin/alphasparse.
foreach(words IN ITEMS
    "man/man1/alphasparse.1 manual"
    "bash-completion/completions/alphasparse completion bash"
    "zsh/site-functions/_alphasparse completion zsh"
    "fish/vendor_completions.d/alphasparse.fish completion fish")
  separate_arguments(words)
  list(POP_FRONT words path)
  execute_process(COMMAND "${PREFIX}/bin/alphasparse" ${words} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
  file(WRITE "${PREFIX}/share/${path}" "${text}")
endforeach()
