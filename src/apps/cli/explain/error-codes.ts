import { readFileSync } from 'node:fs'
import { pagePath } from '../page-path.ts'
import { packageFile } from '../version.ts'

/** What docs/errors.md says about an error code of Antiphon. */
export interface ErrorCodePage {
  readonly code: string
  readonly when: string
  readonly fix: string
}

/** The page of error codes, a path inside the package. */
export const errorCodesPage = 'docs/errors.md'

/** Every error code, in the order of the page. */
export function errorCodes(): readonly ErrorCodePage[] {
  const page = readFileSync(packageFile(errorCodesPage), 'utf8')
  return [...page.matchAll(/^\| `([a-z-]+)` \| (.+?) \| (.+) \|$/gm)].map(([, code = '', when = '', fix = '']) => ({
    code,
    when: plainText(when),
    fix: plainText(fix),
  }))
}

/** Links lead from the page, and here from the working directory. */
const plainText = (markdown: string): string =>
  markdown.replace(
    /\[([^[\]]{1,100})\]\(([^()]{1,200})\)/g,
    (_, words: string, page: string) => `${words} (${pagePath(`docs/${page}`)})`,
  )
