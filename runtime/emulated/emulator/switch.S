// switch: void emulator_switch(void** save, void* load) - leaves one stack and goes on with another
// (x86-64, System V). Ends in a jump, not a return: the return predictor would miss every time.
#include <cet.h>
.text
.globl emulator_switch
.hidden emulator_switch
.type emulator_switch,@function
.align 16
emulator_switch:
  _CET_ENDBR
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp,(%rdi)
  movq %rsi,%rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  popq %rdx
  jmp *%rdx
.size emulator_switch,.-emulator_switch
.section .note.GNU-stack,"",@progbits
