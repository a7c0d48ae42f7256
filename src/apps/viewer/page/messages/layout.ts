/** The height of a folded row in pixels, as in `messages.css`. */
export const foldedHeight = 54
/** The space below the last row. */
export const endSpace = 40
/** Rows drawn outside of the screen, so that fast scrolling shows no gap. */
export const overscan = 8
export const marginWidth = 340
/** A narrower list has a narrow gutter. */
export const narrowWidth = 470

/** Rounds the scroll position, so that the list is drawn again only after scrolling by some rows. */
export const quantum = (top: number): number => Math.floor(top / 100) * 100
