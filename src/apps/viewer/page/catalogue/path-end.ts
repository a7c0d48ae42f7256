/** The last parts of a path. */
export const pathEnd = (path: string, parts = 1): string =>
  path
    .split(/[\\/]/)
    .filter(part => part !== '')
    .slice(-parts)
    .join('/')
