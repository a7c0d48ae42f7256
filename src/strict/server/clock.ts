/** Seconds since 1970, constant so that two runs are equal: the first day of 2026. */
export const fixedTime = 1767225600
