/** dependency-cruiser, for the test of its rules. The package resolves here only. */
export { cruise, type ICruiseResult } from "dependency-cruiser";
