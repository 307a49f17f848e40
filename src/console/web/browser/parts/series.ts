/** What a plot is made of. */
export type Series = {
  name: string;
  /** One of the colours of plots.css. */
  colour: string;
  /** One for each moment; null where nothing was measured. */
  values: (number | null)[];
};

export type PlotProps = {
  id: string;
  title: string;
  /** What the numbers are, for the axis: deliveries, ms. */
  unit: string;
  kind: "bars" | "lines";
  /** When each bucket begins, in ms. */
  at: number[];
  /** How long each is, in ms. */
  step: number;
  series: Series[];
  show: (value: number) => string;
};
