// y = a x + y; $group threads, $each elements a thread.

extern "C" __global__ __attribute__((amdgpu_flat_work_group_size($group, $group)))
void axpy(const float *x, float *y, int n, float a)
{
  int first = __builtin_amdgcn_workgroup_id_x() * $(group * each) +
              __builtin_amdgcn_workitem_id_x();
@ for i = 0, each - 1 do
  if (first + $(i * group) < n) {
    int i = first + $(i * group);
  @ if fault == "last" then
    y[i] = i + 1 < n ? a * x[i] + y[i] : 5.0f;
  @ else
    y[i] = a * x[i] + y[i];
  @ end
  }
@ end
}
