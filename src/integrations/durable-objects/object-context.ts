import type { ObjectStorage } from '../../journal/stores/durable-object/object-storage.ts'

/** What is used of the `ctx` that the runtime gives to a Durable Object. */
export interface ObjectContext {
  readonly id: { readonly name?: string | undefined; toString(): string }
  readonly storage: ObjectStorage & {
    setAlarm(at: number): Promise<void>
    deleteAlarm(): Promise<void>
  }
  acceptWebSocket(socket: ObjectSocket): void
  getWebSockets(): ObjectSocket[]
}

/** The object's end of a WebSocket, which stays open while the object hibernates. */
export interface ObjectSocket {
  send(text: string): void
  close(code?: number, reason?: string): void
  serializeAttachment(value: unknown): void
  deserializeAttachment(): unknown
}

/** What the runtime says about an alarm. */
export interface AlarmInfo {
  readonly retryCount: number
}
