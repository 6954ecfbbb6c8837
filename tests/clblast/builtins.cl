/* builtins.cl - the functions that CLBlast's kernels call, for clang 11.
 *
 * ROCm has them in its device libraries, which Debian 12 has as bitcode of LLVM 15
 * only. A kernel of the tests is called with groups from 0 on and no offset.
 */
// SPDX-License-Identifier: MIT

#define BUILTIN __attribute__((overloadable, const)) unsigned long

BUILTIN get_local_id(unsigned d)
{
  return d == 0   ? __builtin_amdgcn_workitem_id_x()
         : d == 1 ? __builtin_amdgcn_workitem_id_y()
         : d == 2 ? __builtin_amdgcn_workitem_id_z()
                  : 0;
}

BUILTIN get_group_id(unsigned d)
{
  return d == 0   ? __builtin_amdgcn_workgroup_id_x()
         : d == 1 ? __builtin_amdgcn_workgroup_id_y()
         : d == 2 ? __builtin_amdgcn_workgroup_id_z()
                  : 0;
}

__attribute__((overloadable, convergent)) void barrier(unsigned flags)
{
  (void)flags;
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
