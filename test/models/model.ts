/**
 * State machines of the product. A model says in plain TypeScript what each action answers and what is read afterwards, as the
 * specification states it. fast-check's commands perform sequences of actions on the model and on the product, and shrink a
 * sequence in which they differ. test/fault/models.test.ts runs them, and suites of test/fault use them as oracles.
 */
import fc from "fast-check";

export type Model<State, Action> = {
  start(): State;
  actions: fc.Arbitrary<Action>;
  /** Whether the action has a meaning in this state. */
  applies(state: State, action: Action): boolean;
  /** Changes the state, and returns what the product answers. */
  next(state: State, action: Action): string;
  /** What the product shows in this state. */
  shown(state: State): unknown;
};

/** An action of each of these names, with these fields. */
export type Do<Name extends string, Fields = unknown> = Name extends string ? { do: Name } & Fields : never;

export type Product<Action> = {
  perform(action: Action): Promise<string>;
  shown(): Promise<unknown>;
};

class Perform<State, Action> implements fc.AsyncCommand<{ state: State }, Product<Action>> {
  readonly #model: Model<State, Action>;
  readonly #action: Action;
  constructor(model: Model<State, Action>, action: Action) {
    this.#model = model;
    this.#action = action;
  }
  check = ({ state }: Readonly<{ state: State }>) => this.#model.applies(state, this.#action);
  async run({ state }: { state: State }, product: Product<Action>): Promise<void> {
    const wanted = this.#model.next(state, this.#action);
    expect(`${this}: ${await product.perform(this.#action)}`).toBe(`${this}: ${wanted}`);
    expect(await product.shown()).toEqual(this.#model.shown(state));
  }
  toString = () => JSON.stringify(this.#action);
}

export type Checked = { sequences: number; actions: number; failure?: { shown: string; length: number; why: string } };

/**
 * Compares the product with the model.
 *
 * @param open a new product, in the model's first state
 */
export async function check<State, Action>(
  model: Model<State, Action>,
  open: () => Promise<Product<Action>>,
  { seed, sequences, maxActions = 40 }: { seed: number; sequences: number; maxActions?: number },
): Promise<Checked> {
  let actions = 0;
  const commands = fc.commands([model.actions.map((action) => new Perform(model, action))], {
    maxCommands: maxActions,
    size: "max",
  });
  const property = fc.asyncProperty(commands, async (sequence) => {
    const product = await open();
    const counted: Product<Action> = {
      ...product,
      perform(action) {
        actions += 1;
        return product.perform(action);
      },
    };
    await fc.asyncModelRun(() => ({ model: { state: model.start() }, real: counted }), sequence);
  });
  const { failed, numRuns, counterexample, errorInstance } = await fc.check(property, {
    seed,
    numRuns: sequences,
    unbiased: true,
  });
  if (!failed) return { sequences: numRuns, actions };
  const shown = String(counterexample?.[0]);
  const length = shown.split("},{").length;
  return { sequences: numRuns, actions, failure: { shown, length, why: String(errorInstance).slice(0, 600) } };
}

/** The element at this place, counted around the list. */
export function at<T>(list: T[], place: number): T {
  const found = list[place % (list.length || 1)];
  if (found === undefined) throw new Error("The list is empty.");
  return found;
}
