export function expand(value: unknown): Record<string, unknown>
export function accepts(request: unknown, accept: readonly object[]): object[]
export function kept(request: unknown, keep: readonly string[]): string[]
export function pairs(request: unknown): { ok: boolean; calls: unknown[]; results: unknown[] }
export function strings(value: unknown): Generator<string>
