import { readFileSync } from 'node:fs'
import { AntiphonError } from '../../core/errors.ts'

/** The built page. It is found next to the built library, and from the sources. */
export function readPage(): string {
  for (const place of ['./page.html', '../../../dist/page.html']) {
    try {
      return readFileSync(new URL(place, import.meta.url), 'utf8')
    } catch (error) {
      if ((error as { code?: string }).code !== 'ENOENT') throw error
    }
  }
  throw new AntiphonError('missing-page', 'the page of the viewer is not built', { hint: 'run: npm run build' })
}
