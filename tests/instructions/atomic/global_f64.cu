// uses: ATOMG.E.ADD.F64
// out: 256
// Sums of float64.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  double* const place = (double*)out + threadIdx.x * 4;
  place[0] = __hiloint2double(in[1000 + threadIdx.x * 16 + 0] & 0x83ffffff | 0x3c000000, in[threadIdx.x]);
  place[1] = __hiloint2double(in[1000 + threadIdx.x * 16 + 1] & 0x83ffffff | 0x3c000000, in[threadIdx.x]);
  place[2] = atomicAdd(
      place + 0, __hiloint2double(in[threadIdx.x * 16 + 0] & 0x83ffffff | 0x3c000000, in[threadIdx.x + 1]));
  place[3] = atomicAdd(place + 1, -1.5);
}
