/** Seconds since 1970, and always the same, so that two runs are: the first day of 2026. */
export const now = 1767225600
