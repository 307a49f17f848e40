/** Data of a plot. */
export type Series = {
  name: string;
  /** Colour class of plots.css. */
  colour: string;
  /** One value per bucket; null if there is none. */
  values: (number | null)[];
};

export type PlotProps = {
  id: string;
  title: string;
  /** Unit of the axis, for example attempts or ms. */
  unit: string;
  kind: "bars" | "lines";
  /** Start of each bucket, in ms since the epoch. */
  at: number[];
  /** Length of a bucket, in ms. */
  step: number;
  series: Series[];
  show: (value: number) => string;
};
