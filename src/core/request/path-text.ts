export type Path = readonly (string | number)[]

/** A path as the caller would write it. */
export const pathText = (path: Path): string =>
  path.map((step, at) => (typeof step === 'number' ? `[${step}]` : at === 0 ? step : `.${step}`)).join('')
