export { backUp } from './backup.ts';
export { migrate, openStore, pendingMigrations } from './open.ts';
