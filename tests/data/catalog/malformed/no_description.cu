// expect: :1:
// expect: no description
__global__ void f() {}
