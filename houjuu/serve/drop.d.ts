// The types of data that Python makes. To change them, run python -m tools.web.declarations.

/**
 * The progress of a review, or its end.
 *
 * Attributes
 * ----------
 * share : float
 *     How much of the review is done, 0 to 1.
 * number, seats : int
 *     Which seat of how many is reviewed, from 1 on.
 * page : str
 *     The page; the last step.
 * error : str
 *     Why there is no page; the last step.
 */
interface ReviewStep {
  share?: number;
  number?: number;
  seats?: number;
  page?: string;
  error?: string;
}

/**
 * The players of a game.
 *
 * Attributes
 * ----------
 * names : list of 4 str
 *     By seat, 0 to 3.
 * seats : list of int
 *     The seats whose hands the log shows; first the one of the log.
 */
interface GamePlayers {
  names: string[];
  seats: number[];
}
