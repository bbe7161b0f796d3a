// What a thread that only ranks needs of this machine: stores, logs and meters would take it longer to load than the rest.
export { csvTables } from '@tarifario/sheets';
