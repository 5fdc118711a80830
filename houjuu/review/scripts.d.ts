// Types of the scripts alone; those of the data are in page.d.ts.

/** An attribute of an element, or what it does at the event of a name such as "onclick". */
type Attribute = string | number | boolean | null | (() => void);

/** What an element may contain; false and null are left out. */
type Child = Node | string | false | null | Child[];

/** A column of a table: its classes, and its heading. */
type Column = [classes: string, heading: Child];

/** A text, or an element that stands in a text. */
type Shown = string | Node;

/** A decision: the index of its round, and its own in the round. */
type Place = { round: number; step: number };

/** A decision that is a discard. */
type Discard = ReviewedPosition & { discard_index: number };

/** Where a tile is drawn: its place, its width, whether it lies on its side, and more classes. */
type Face = { x?: number; y?: number; w?: number; turned?: boolean; marks?: string };

/** The texts on the table; winds and scores are by seat. */
type BoardWords = {
  round: string;
  sticks: string;
  tilesLeft: string;
  winds: string[];
  scores: string[];
};

/** Rows as columns, see houjuu.review.packing. */
type Columns =
  | any[]
  | {
      tuple?: Columns[];
      columns?: Record<string, Columns>;
      n: number;
      keys: string[];
      values: Columns;
      scale?: number;
      words?: string[];
      present?: number[];
      lengths?: number[];
    };
