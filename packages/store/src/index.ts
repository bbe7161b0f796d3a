export { backUp } from './backup.ts';
export { type Database, migrate, openDatabase, openStore, pendingMigrations } from './open.ts';
