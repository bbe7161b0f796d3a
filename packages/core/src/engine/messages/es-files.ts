/** What is said about files, the rows of spreadsheets and tables of customers, as in `es.ts`. */
export const SPANISH_OF_FILES = {
  // Files
  'the file is larger than {bytes} bytes': 'el archivo tiene más de {bytes} bytes',
  'the file cannot be read: {=why} (sheet {sheet}, row {row})':
    'no se puede leer el archivo: {why} (hoja {sheet}, fila {row})',
  'the file cannot be read: {=why} (sheet {sheet})': 'no se puede leer el archivo: {why} (hoja {sheet})',
  'the file cannot be read: {=why} (row {row})': 'no se puede leer el archivo: {why} (fila {row})',
  'the file cannot be read: {=why}': 'no se puede leer el archivo: {why}',
  'it is larger than {size} MiB': 'tiene más de {size} MiB',
  'it is not an XLSX workbook': 'no es un libro XLSX',
  'it is an XLSB workbook: save it as XLSX': 'es un libro XLSB: hay que guardarlo como .xlsx',
  'it is an XLS workbook, or has a password: save it as XLSX, without a password':
    'es un libro XLS, o tiene contraseña: hay que guardarlo como .xlsx, sin contraseña',
  'it is an ODS spreadsheet: save it as XLSX': 'es una hoja de cálculo ODS: hay que guardarla como .xlsx',
  'it is damaged': 'está dañado',
  'two of its parts have the same name': 'dos de sus partes tienen el mismo nombre',
  'it has more than {count} parts': 'tiene más de {count} partes',
  'unpacked it is larger than {size} MiB': 'descomprimido ocupa más de {size} MiB',
  'it has a document type declaration': 'tiene una declaración de tipo de documento',
  'its XML is nested too deeply': 'su XML tiene demasiados niveles',
  'its text is not UTF-8': 'su texto no es UTF-8',
  'it is no CSV in UTF-8 or Latin-1': 'no es un CSV en UTF-8 o Latin-1',
  'a sheet has more than {count} rows': 'una hoja tiene más de {count} filas',
  'a sheet has more than {count} columns': 'una hoja tiene más de {count} columnas',
  'a cell has more than {count} bytes': 'una celda tiene más de {count} bytes',
  'a row or a cell is out of place': 'una fila o una celda está fuera de su sitio',
  'it is too large: reading it takes too much memory': 'es demasiado grande: leerlo ocupa demasiada memoria',
  'reading it takes too much time or memory': 'leerlo lleva demasiado tiempo o memoria',
  'the file is too large: to apply it takes more memory than there is':
    'el archivo es demasiado grande: aplicarlo ocupa más memoria de la que hay',
  'applying the file took too long, and nothing was changed: try again later, or with a smaller file':
    'aplicar el archivo llevó demasiado tiempo, y no se ha cambiado nada: se puede repetir más tarde, o con un archivo menor',
  'other files are being applied: try again later':
    'se están aplicando otros archivos: se puede volver a intentar más tarde',
  '{=why}: ask for one supply type, or for one advisory firm':
    '{why}: hay que pedir un solo suministro, o una sola asesoría',
  'the file would be too large': 'el archivo sería demasiado grande',
  'the sheet {sheet} would have more than {count} rows': 'la hoja {sheet} tendría más de {count} filas',
  'a file of the catalog is for no advisory firm': 'un archivo del catálogo no es de ninguna asesoría',
  '{count} uploads are pending: cancel some first': 'hay {count} archivos pendientes: antes hay que cancelar alguno',
  '{count} uploads of this key are pending: cancel some first':
    'hay {count} archivos pendientes de esta clave: antes hay que cancelar alguno',
  'only a dry run keeps a file': 'solo con dry_run se guarda el archivo',
  'there is no file of a dry run to apply, or it is too old':
    'no hay ningún archivo revisado que aplicar, o es demasiado antiguo',
  'nothing was changed: the file would no longer do what its dry run has shown, so check it again':
    'no se ha cambiado nada: el archivo ya no haría lo que mostró su revisión, así que hay que revisarlo otra vez',
  'the upload is {status} no longer': 'el archivo ya no está en el estado {status}',
  'the upload is no longer in processing': 'el archivo ya no se está procesando',
  'the upload is {status}, not {other}': 'el archivo está en el estado {status}, no en {other}',
  'the upload has no file to work on': 'no hay ningún archivo que procesar',
  'the work on it was interrupted {count} times: it may take more time or memory than a file has':
    'el trabajo se ha interrumpido {count} veces: puede que necesite más tiempo o memoria de la que hay para un archivo',
  'is a percentage, and the column has none': 'es un porcentaje, y en la columna no los hay',
  'is a percentage, and must be {unit}': 'es un porcentaje, y tiene que ser {unit}',
  'is a date, which a spreadsheet may make of a number such as 4.6: type it again in a cell of text or numbers':
    'es una fecha, en la que una hoja de cálculo convierte números como 4.6: hay que escribirlo otra vez en una celda de texto o de número',
  'is merged with another cell, and each needs its own': 'está combinada con otra celda, y cada una necesita lo suyo',
  'a price is above what contracts have: it may be in cents, or of a year':
    'un precio es mayor que los que hay: puede estar en céntimos, o ser de un año',
  'no prices of that index are loaded, so its name may be wrong':
    'no hay precios cargados de ese índice: puede que el nombre esté mal',
  'all percentages of a column are at most 1, and may be shares of 1':
    'todos los porcentajes de una columna son como mucho 1, y pueden ser partes de 1',
  'all percentages of {column} are at most 1: {percentage} is {percentage} %, or was {meant} % meant?':
    'todos los porcentajes de {column} son como mucho 1: {percentage} es {percentage} %, ¿o era {meant} %?',
  '{rate} is {rate} %, or was {meant} % meant? Write it with its sign':
    '{rate}: ¿{rate} % o {meant} %? Hay que escribirlo con su signo',
  '{text} is {thousands} or {whole}.{fraction}: write it without a separator of thousands':
    '{text}: ¿{thousands} o {whole},{fraction}? Hay que escribirlo sin separador de miles',
  'nothing was changed: the file has errors': 'no se ha cambiado nada: el archivo tiene errores',
  'nothing was changed: the file has {count} error': 'no se ha cambiado nada: el archivo tiene {count} error',
  'nothing was changed: the file has {count} errors': 'no se ha cambiado nada: el archivo tiene {count} errores',
  'offers without a row in the sheet lose all their tiers':
    'las ofertas sin ninguna fila en la hoja pierden todos sus tramos',
  'no access tariff of the supply has that name, so customers who say theirs do not get the offer':
    'ningún peaje de ese suministro se llama así: quien indica el suyo no verá la oferta',
  'the price of power is below the regulated tolls and charges of today':
    'el precio de potencia es menor que los peajes y cargos regulados de hoy',
  'the penalty is above the 5 % that the law allows for persons in 2.0TD (RD 88/2026, art. 28.3)':
    'la penalización pasa del 5 % que la ley admite para personas en 2.0TD (RD 88/2026, art. 28.3)',
  'the company has an active offer of that name already':
    'la comercializadora ya tiene una oferta activa con ese nombre',
  'the sheet does not have these columns, and stored offers keep what they have in them: {columns}':
    'la hoja no tiene estas columnas, y las ofertas guardadas conservan lo que tienen en ellas: {columns}',
  'the sheet does not have these columns, and stored offers keep what they have in them':
    'la hoja no tiene algunas columnas, y las ofertas guardadas conservan lo que tienen en ellas',

  // Rows of spreadsheets
  'the sheet is there twice': 'la hoja está dos veces',
  'unknown sheet: there are {sheets}': 'hoja desconocida: existen {sheets}',
  'a header must be text': 'una cabecera tiene que ser texto',
  'the column is there twice': 'la columna está dos veces',
  'unknown column': 'columna desconocida',
  '{=message}: the first row that holds anything must have the names of the columns':
    '{message}: la primera fila con datos tiene que llevar los nombres de las columnas',
  'column {letter} has no header': 'la columna {letter} no tiene cabecera',
  'must be the whole number of an offer': 'tiene que ser el número entero de una oferta',
  'must be a number, such as 1234,56, without unit or thousands separators':
    'tiene que ser un número, como 1234,56, sin unidad ni separador de miles',
  'must be yes or no: TRUE, FALSE, si, no, 1, 0, x': 'tiene que ser sí o no: TRUE, FALSE, si, no, 1, 0, x',
  'must be a day: 2026-01-31, 31/01/2026 or a date': 'tiene que ser un día: 2026-01-31, 31/01/2026 o una fecha',
  'must be a month: 2026-01, 01/2026 or a date': 'tiene que ser un mes: 2026-01, 01/2026 o una fecha',
  'must be communities separated by commas: {communities}':
    'tienen que ser comunidades separadas por comas: {communities}',
  'must not be a formula': 'no puede ser una fórmula',
  'must not be an error': 'no puede ser un error',
  'several offers have this name: {column} must say which':
    'varias ofertas tienen este nombre: {column} tiene que decir cuál',
  'the same month of the same offer is in row {row}': 'el mismo mes de la misma oferta está en la fila {row}',
  'only LUZ offers have tiers of power': 'solo las ofertas de LUZ tienen tramos de potencia',
  'the same offer is in row {row} of ofertas': 'la misma oferta está en la fila {row} de ofertas',
  'the same offer is in row {row}': 'la misma oferta está en la fila {row}',
  'the same new offer is in row {row}': 'la misma oferta nueva está en la fila {row}',
  'must stay {supply}': 'tiene que seguir siendo {supply}',
  "is another firm's: {column} must say which company of it":
    'es de otra asesoría: {column} tiene que decir cuál de sus comercializadoras',
  'was written since the template was made by a key that may not see it: take a new template, or send the file with force':
    'la ha escrito después de hacerse la plantilla una clave que no puede verla: hay que bajar otra plantilla, o enviar el archivo con force',
  'the month was deleted since the template was made': 'el mes se ha borrado desde que se hizo la plantilla',
  'the list of tiers {=message}': 'la lista de tramos {message}',
  'the list of tiers in {sheet} {=message}': 'la lista de tramos de {sheet} {message}',
  'was changed since the template was made: the file has {file}, stored is {stored}':
    'ha cambiado desde que se hizo la plantilla: el archivo tiene {file}, y está guardado {stored}',
  'the offer {=message}': 'la oferta {message}',

  // A table of customers
  'a quote that is never closed': 'unas comillas no se cierran',
  'text after a closing quote': 'hay texto después de unas comillas que se cierran',
  'a row of more than {count} characters': 'una fila de más de {count} caracteres',
  'there is no column "{name}"': 'no existe la columna «{name}»',
  'there are no columns {names}': 'no existen las columnas {names}',
  '{=all}; {=fault}': '{all}; {fault}',
  'the column {name} comes twice': 'la columna {name} está dos veces',
  'a cell beyond the header': 'una celda fuera de las columnas de la cabecera',
  'a header is missing': 'falta la primera fila con los nombres de las columnas',

  // Publications of prices
  '{name} is not loaded; loaded are {names}': '{name} no está cargado; lo están {names}',
  'totals by month have no hours': 'los totales por mes no tienen horas',
  'line {line}': 'línea {line}',
  'the price of {instant}': 'el precio de {instant}',
  'it has no price': 'no tiene ningún precio',
  'it is no publication of ESIOS, REData or OMIE': 'no es una publicación de ESIOS, REData ni OMIE',
  'it has several: name one with {option}: {values}': 'tiene varias: hay que decir cuál con {option}: {values}',
  '{option} {value} is not in it; it has {values}': 'no tiene {option} {value}; tiene {values}',
  '{=place}: a price beyond {max} EUR/kWh': '{place}: un precio de más de {max} EUR/kWh',
  '{=place}: no price in EUR/MWh': '{place}: no es un precio en EUR/MWh',
  '{=place}: an instant that the file has with another price':
    '{place}: un instante que el archivo tiene con otro precio',
  '{=place}: no instant at which an hour or a quarter-hour begins':
    '{place}: no es un instante en que empiece una hora o un cuarto de hora',
  '{=place}: no day with a number of its hours': '{place}: no es un día con el número de una hora',
  '{=place}: the day has {count} prices': '{place}: el día tiene {count} precios',
  '{day} has {number} of its {count} prices': 'el {day} tiene {number} de sus {count} precios',
} as const;
