/** What the tests use of the runtime. Their packages have types for much more, which clash with those of Node. */
declare module 'miniflare' {
  export interface MiniflareOptions {
    readonly modules: readonly { readonly type: 'ESModule'; readonly path: string; readonly contents: string }[]
    readonly compatibilityDate: string
    readonly compatibilityFlags?: readonly string[]
    readonly bindings?: Readonly<Record<string, unknown>>
    readonly durableObjects: Readonly<Record<string, { readonly className: string; readonly useSQLite: true }>>
    readonly durableObjectsPersist?: string
    readonly handleRuntimeStdio?: (
      stdout: import('node:stream').Readable,
      stderr: import('node:stream').Readable,
    ) => void
  }
  export class Miniflare {
    constructor(options: MiniflareOptions)
    readonly ready: Promise<URL>
    dispose(): Promise<void>
  }
}

declare module 'cloudflare:workers' {
  export class DurableObject<Env = unknown> {
    protected ctx: import('../../src/integrations/durable-objects/index.ts').ObjectContext
    protected env: Env
    fetch(request: Request): Promise<Response>
  }
}

declare module '@vitest/expect' {
  type Plugin = (chai: never, utils: never) => void
  type Expect = typeof import('vitest').expect
  export const chai: {
    use(plugin: Plugin): void
    readonly expect: ((value: unknown, message?: string) => unknown) & { extend(to: unknown, matchers: unknown): void }
  }
  export const ASYMMETRIC_MATCHERS_OBJECT: symbol
  export const ChaiStyleAssertions: Plugin
  export const JestAsymmetricMatchers: Plugin
  export const JestChaiExpect: Plugin
  export const JestExtend: Plugin
  export const customMatchers: unknown
  export type ExpectStatic = Expect
  export function getState(expect: Expect): ReturnType<Expect['getState']>
  export function setState(state: object, expect: Expect): void
}
