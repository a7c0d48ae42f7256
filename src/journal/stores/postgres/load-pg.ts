import { AntiphonError } from '../../../core/errors.ts'

/**
 * `user` is the subject of the error. This has a file of its own, because no declaration that the package exports may import the types
 * of `pg`: they are another package, which users need not have.
 */
export async function loadPg(user = 'a journal in PostgreSQL'): Promise<Pick<typeof import('pg'), 'Client' | 'Pool'>> {
  try {
    return (await import('pg')).default
  } catch (cause) {
    if ((cause as { code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw cause
    throw new AntiphonError('missing-package', `${user} needs the package pg, which is not installed`, {
      hint: 'run: npm install pg',
      cause,
    })
  }
}
