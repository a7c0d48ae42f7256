import { warn } from '../../heal/warn.ts'

/** Calls a listener. If it fails, that is a warning, since no request may fail because of a listener. */
export function notify<Subject>(listener: (subject: Subject) => unknown, subject: Subject): void {
  try {
    const done = listener(subject)
    if (done instanceof Promise) done.catch(warn)
  } catch (error) {
    warn(error)
  }
}
