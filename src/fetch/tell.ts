/** Tells a listener something; one that fails is a warning, since no request may fail because of it. */
export function tell<Subject>(listener: (subject: Subject) => unknown, subject: Subject): void {
  try {
    const done = listener(subject)
    if (done instanceof Promise) done.catch(warn)
  } catch (error) {
    warn(error)
  }
}

export function warn(error: unknown): void {
  const { message = String(error), code } = (error ?? {}) as { message?: string; code?: unknown }
  const type = 'AntiphonWarning'
  if (typeof process === 'object' && typeof process.emitWarning === 'function')
    process.emitWarning(message, typeof code === 'string' ? { type, code } : { type })
  else console.warn(`${type}: ${message}`)
}
