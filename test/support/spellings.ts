/** Spellings of one name that a comparison of names must treat as equal. (docs/specification/conventions.md#comparison) */
export const spellings: Record<string, string[]> = {
  Γιώργος: ["ΓΙΏΡΓΟΣ", "γιώργος", "γιώργοσ", "Γιώργος".normalize("NFD")],
  "Straße 5": ["STRASSE 5", "strasse-5", "STRAẞE 5", "Stra\u00adße\u00a05"],
  "Jean-Luc": [
    "Jean\u2011Luc",
    "JEAN\u2010LUC",
    "jean\u2013luc",
    "Jean \u2014 Luc",
    "Jean\u2212Luc",
    "jean_luc",
    "Jean\u200bLuc".replace("\u200b", "\u3000"),
  ],
  "O'Brien": [
    "O\u2019Brien",
    "O\u02bcBRIEN",
    "o\u00b4brien",
    "O\u1ffdBrien",
    "O\u02caBrien",
    "O`Brien",
    "O\u2032Brien",
    "O\uff07Brien",
  ],
  Müller: ["MÜLLER", "mu\u0308ller", "MU\u0308LLER", "Mül\u200bler", "  müller "],
  "ﬁnn Ⅷ": ["FINN VIII", "finn viii"],
};

/** Names that stay apart. */
export const distinct = ["Γιωργος", "Muller", "OBrien", "JeanLuc", "Strase 5"];
