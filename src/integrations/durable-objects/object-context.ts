import type { ObjectStorage } from '../../journal/stores/durable-object/object-storage.ts'

/** What is used of the `ctx` that the runtime gives to a Durable Object. */
export interface ObjectContext {
  readonly id: { readonly name?: string | undefined; toString(): string }
  readonly storage: ObjectStorage & {
    setAlarm(at: number): Promise<void>
    deleteAlarm(): Promise<void>
  }
}

/** What the runtime says about an alarm. */
export interface AlarmInfo {
  readonly retryCount: number
}
