/* Raise the stack's limit to a number of bytes; return whether the system allows it. */
#include <sys/resource.h>
#include <caml/mlvalues.h>

value tgite_stack_of(value bytes) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_STACK, &limit)) return Val_false;
  if (limit.rlim_cur < (rlim_t)Long_val(bytes)) limit.rlim_cur = Long_val(bytes);
  return Val_bool(setrlimit(RLIMIT_STACK, &limit) == 0);
}
