import { files, read } from '../repository.ts'

/** A piece of code on a page, as it stands between its fences. */
export interface Block {
  readonly page: string
  /** Of all blocks of the page, counted from one. */
  readonly number: number
  readonly language: string
  readonly code: string
}

/** Pages that are written by hand for users of the package. */
export const pages: readonly string[] = files('README.md', 'CONTRIBUTING.md', 'docs/*.md', 'examples/*.md').filter(
  page => !['docs/api.md', 'docs/dialects.md'].includes(page),
)

export const blocks: readonly Block[] = pages.flatMap(page =>
  [...(read(page) ?? '').matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language, code], index) => ({
    ...{ page, language, code },
    number: index + 1,
  })),
)

export const blocksIn = (...languages: string[]): Block[] =>
  blocks.filter(({ language }) => languages.includes(language))
