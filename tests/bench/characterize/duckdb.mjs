// node duckdb.mjs SQL SEREN KALOS: runs the statements, prints seconds from opening the database to
// the last row, and the first result. Node's own start is not counted.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(`${process.env.DUCKDB_FOLDER}/`);
const { DuckDBInstance } = require('@duckdb/node-api');
const [sql, seren, kalos] = process.argv.slice(2);
const text = readFileSync(sql, 'utf8')
    .replace(/^--.*$/gm, '')
    .replace('$SEREN', seren)
    .replace('$KALOS', kalos);

const begin = process.hrtime.bigint();
const instance = await DuckDBInstance.create(':memory:');
const connection = await instance.connect();
const results = [];
for (const statement of text.split(';').map((part) => part.trim()).filter(Boolean)) {
    const reader = await connection.runAndReadAll(statement);
    results.push(reader.getRows());
}
const seconds = Number(process.hrtime.bigint() - begin) / 1e9;
const show = (rows) => JSON.stringify(rows, (_, v) => (typeof v === 'bigint' ? Number(v) : v));
console.log(JSON.stringify({
    seconds,
    totals: JSON.parse(show(results[1][0])),
    peak: JSON.parse(show(results.at(-1)[0])),
}));
