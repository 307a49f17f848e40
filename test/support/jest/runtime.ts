/**
 * Jest's module loader, except that Node itself loads packages, once for all test files of a process. Own modules are
 * loaded again for each file, so that none sees the state of another. See docs/decisions/0062-packages-once.md.
 */
import { createRequire, isBuiltin } from "node:module";
import { fileURLToPath } from "node:url";
import { isModuleNamespaceObject } from "node:util/types";
import { compileFunction, SyntheticModule } from "node:vm";
import runtime from "jest-runtime";

const Runtime = runtime as unknown as typeof runtime.default; // its types describe the CommonJS file

/** The parts of jest-runtime that this file replaces. */
type Internals = {
  registries: { esModuleRegistry: Map<string, unknown> };
  esmLoader: { getContext(): undefined };
  executor: { injectedModuleParameters: string[]; compile(source: string, filename: string): unknown };
};

export default class SharedPackages extends Runtime {
  constructor(...settings: ConstructorParameters<typeof Runtime>) {
    super(...settings);
    const { registries, esmLoader, executor } = this as unknown as Internals;
    registries.esModuleRegistry = new Registry();
    // Modules of test files belong to the main context, as those of packages do.
    esmLoader.getContext = () => undefined;
    executor.compile = (source, filename) => compileFunction(source, executor.injectedModuleParameters, { filename });
  }
}

/** Modules of a test file by URL, or by name if Node has them. */
class Registry extends Map<string, unknown> {
  override get(url: string): unknown {
    return super.get(url) ?? sharedModule(url);
  }
}

const load = createRequire(import.meta.url);
const shared = new Map<string, SyntheticModule | undefined>();

function sharedModule(url: string): SyntheticModule | undefined {
  if (isShared(url) && !shared.has(url)) shared.set(url, loadModule(url));
  return shared.get(url);
}

/** Undefined for a module with a top-level await, which jest loads for each file. */
function loadModule(url: string): SyntheticModule | undefined {
  try {
    const exported = exportsOf(load(isBuiltin(url) ? url : fileURLToPath(url)));
    const module = new SyntheticModule(Object.keys(exported), () => {
      for (const [name, value] of Object.entries(exported)) module.setExport(name, value);
    });
    void module.evaluate();
    return module;
  } catch (error) {
    if ((error as { code?: string }).code === "ERR_REQUIRE_ASYNC_MODULE") return undefined;
    throw error;
  }
}

/** node:module is jest's own, which loads TypeScript. */
const isShared = (url: string): boolean =>
  isBuiltin(url) ? url !== "node:module" : url.startsWith("file:") && url.includes("/node_modules/");

const exportsOf = (loaded: object): Record<string, unknown> =>
  isModuleNamespaceObject(loaded) ? { ...loaded } : { ...loaded, default: loaded };
