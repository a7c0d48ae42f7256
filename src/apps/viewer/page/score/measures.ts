/** The height of a folded row, in pixels: `score.css` says the same. */
export const foldedHeight = 54
/** Air below the last row. */
export const endSpace = 40
/** Rows drawn beyond the edges of the screen, so that a quick turn of the wheel shows no gap. */
export const overscan = 8
export const marginWidth = 340
/** A sheet that is narrower has a narrow gutter. */
export const narrowWidth = 470

/** The screen is drawn anew only when it was scrolled by some rows: what is drawn reaches further than what is seen. */
export const quantum = (top: number): number => Math.floor(top / 100) * 100
