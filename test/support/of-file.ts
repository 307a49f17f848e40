/**
 * What a test file opens before its tests and closes after them.
 *
 * @param open fills the object
 * @returns an object that is empty again after the tests: Node never frees the module of a test file, which would keep
 *   its servers and schemas, up to 18 MB, until its process ends
 */
export function ofFile<Opened extends object>(
  open: (here: Opened) => Promise<unknown>,
  close: (here: Partial<Opened>) => unknown,
): Opened {
  const here = {} as Opened;
  beforeAll(async () => void (await open(here)));
  afterAll(async () => {
    await close(here);
    for (const name of Object.keys(here)) Reflect.deleteProperty(here, name);
  });
  return here;
}
