// Swaps two paths in one step, so that a model folder is replaced and never absent.
#include <nanobind/stl/string.h>

#include "arrays.hpp"

#if defined(__linux__)
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace labelrank {
namespace {
// False where the system cannot do it; the caller then renames twice.
bool exchange(const std::string& a, const std::string& b) {
#if defined(__linux__) && defined(SYS_renameat2)
  constexpr unsigned int kRenameExchange = 2;
  return syscall(SYS_renameat2, AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), kRenameExchange) == 0;
#else
  (void)a;
  (void)b;
  return false;
#endif
}
}  // namespace

void bind_files(nb::module_& m) { m.def("exchange", &exchange, nb::arg("a"), nb::arg("b")); }
}  // namespace labelrank
