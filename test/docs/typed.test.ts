import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { read, root } from '../repository.ts'
import { packageHere } from './package-here.ts'
import { type Block, blocksIn } from './pages.ts'

const { folder, close } = packageHere()
afterAll(close)

test('[GD3] every program on a page, and every example, is typed as the package is', () => {
  const programs = blocksIn('ts', 'tsx').filter(block => !isOfWalks(block))
  expect(new Set(programs.map(({ page }) => page)).size).toBeGreaterThan(12)
  for (const { page, number, language, code } of programs)
    writeFileSync(join(folder, `${page.replaceAll(/\W/g, '-')}-${number}.${language}`), `${code}\nexport {}\n`)
  writeFileSync(join(folder, 'given.d.ts'), given)
  const { compilerOptions } = JSON.parse(read('tsconfig.json') ?? '')
  const usual = { ...compilerOptions, exactOptionalPropertyTypes: false, jsx: 'react-jsx' }
  const isShown = { noUnusedLocals: false, noUnusedParameters: false }
  const project = { compilerOptions: { ...usual, ...isShown }, include: ['*.ts', '*.tsx', 'examples'] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(project))
  expect(complaints()).toEqual([])
})

/** CopilotKit and the types of React are installed only by the walks, which type and run these files. */
const isOfWalks = ({ page, code }: Block): boolean => page === 'docs/copilotkit.md' || code.includes("from 'react'")

test('[GD3] the page about CopilotKit shows the files that `npm run walks` types and runs', () => {
  const shown = blocksIn('ts', 'tsx').filter(({ page }) => page === 'docs/copilotkit.md')
  const files = ['server.ts', 'src/main.tsx', 'vite.config.ts'].map(file =>
    read(`scripts/walks/apps/copilotkit/${file}`),
  )
  expect(shown.map(({ code }) => code)).toEqual(files)
})

test('[GD3] the page about the AI SDK begins with the app that `npm run walks` types and runs', () => {
  const shown = blocksIn('ts', 'tsx').filter(({ page }) => page === 'docs/ai-sdk.md')
  const files = ['app/api/chat/[[...path]]/route.ts', 'app/page.tsx', 'next.config.ts']
  const codes = files.map(file => read(`scripts/walks/apps/start/${file}`))
  expect(shown.slice(0, files.length).map(({ code }) => code)).toEqual(codes)
})

/** What the compiler has against the pages. */
function complaints(): string[] {
  try {
    execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder], { cwd: folder })
    return []
  } catch (error) {
    const all = String((error as { stdout: Buffer }).stdout).split(/\n(?=\S)/)
    return all.map(complaint => complaint.trim())
  }
}

/** What a reader has already, where a page shows only what to do with it. */
const given = `
declare const history: unknown[]
declare const body: { messages: unknown[] }
declare const messages: unknown[]
declare const model: (request: { messages: unknown[]; signal: AbortSignal }) => unknown
declare const otherModel: typeof model
declare const book: (input: unknown, context?: object) => string
declare const pay: () => string
declare const pool: import('pg').Pool
declare const url: string
declare const response: Response
declare const call: { id: string; name: string }
declare const id: string
declare const initialMessages: import('ai').UIMessage[]
`
