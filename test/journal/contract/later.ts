/** A promise that a test keeps when it wants to. */
export interface Later<T> {
  readonly promise: Promise<T>
  readonly keep: (value: T) => void
}

export function later<T>(): Later<T> {
  let keep: (value: T) => void = () => {}
  const promise = new Promise<T>(resolve => {
    keep = resolve
  })
  return { promise, keep }
}
