export { AntiphonThread, type ThreadSettings } from './antiphon-thread.ts'
export type { AlarmInfo, ObjectContext, ObjectSocket } from './object-context.ts'
