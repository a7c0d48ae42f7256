/** The end of a path, which is what people know it by. */
export const pathEnd = (path: string, parts = 1): string =>
  path
    .split(/[\\/]/)
    .filter(part => part !== '')
    .slice(-parts)
    .join('/')
