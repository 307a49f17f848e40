/** TypeScript's scanner. The package resolves here only. */
export { createScanner, SyntaxKind } from "typescript/unstable/ast";
