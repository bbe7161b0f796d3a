/**
 * An answer of which only these fields were asked for, separated by commas, with dots before inner ones. Of a text that
 * the compiler does not know each field may be missing.
 */
export type Reduced<Answer, Fields extends string> = string extends Fields ? Some<Answer> : Only<Answer, Paths<Fields>>;

type Paths<Fields extends string> = Fields extends `${infer Path},${infer Rest}`
  ? Trimmed<Path> | Paths<Rest>
  : Trimmed<Fields>;
type Trimmed<Path extends string> = Path extends ` ${infer Rest}` | `${infer Rest} ` ? Trimmed<Rest> : Path;
type Head<Path extends string> = Path extends `${infer Name}.${string}` ? Name : Path;
type Inside<Path extends string, Name> = Path extends `${Name & string}.${infer Rest}` ? Rest : never;

type Only<Value, Path extends string> = Value extends readonly (infer Entry)[]
  ? Only<Entry, Path>[]
  : Value extends object
    ? {
        [Name in keyof Value as Name extends Head<Path> ? Name : never]: Name extends Path
          ? Value[Name]
          : Only<Value[Name], Inside<Path, Name>>;
      }
    : Value;

type Some<Value> = Value extends readonly (infer Entry)[]
  ? Some<Entry>[]
  : Value extends object
    ? { [Name in keyof Value]?: Some<Value[Name]> }
    : Value;
