export { backUp } from './backup.ts';
export { exposureOf } from './exposure.ts';
export { type Database, isForgetful, migrate, openDatabase, openStore, pendingMigrations } from './open.ts';
