package load

import vegeta "github.com/tsenart/vegeta/v12/lib"

// failureClass is empty for what is no failure: a right answer, and a hit that was given up. Vegeta itself fails a hit with code 0.
func failureClass(code uint16) string {
	switch {
	case answeredRightly(code):
		return ""
	case code >= wrongBody:
		return ClassCheck
	case code >= wrongStatus:
		return ClassStatus
	case code == codeNone || code >= codeLimit:
		return ClassRead
	}
	return className[code]
}

// failures are counted by class, with the first of each.
type failures struct {
	errors  [codeLimit]int64
	refused int64             // answers of a wrong status
	wrong   int64             // answers that are wrong otherwise
	samples map[string]string // by class; nil: none yet
}

func (f *failures) fail(class string, res *vegeta.Result) {
	switch {
	case class == ClassStatus:
		f.refused++
	case class == ClassCheck:
		f.wrong++
	case res.Code == codeNone || res.Code >= codeLimit:
		f.errors[codeRead]++
	default:
		f.errors[res.Code]++
	}
	if f.samples == nil {
		f.samples = map[string]string{}
	}
	if _, seen := f.samples[class]; !seen {
		const most = 300 // characters, enough to see what it was
		f.samples[class] = res.Error[:min(len(res.Error), most)]
	}
}

// errorClasses lists what happened, in the order of the codes, answers last.
func (f *failures) errorClasses() []ErrorClass {
	var out []ErrorClass
	add := func(class string, count int64) {
		if count > 0 {
			out = append(out, ErrorClass{Class: class, Count: count, Sample: f.samples[class]})
		}
	}
	for code, class := range className {
		if class != "" {
			add(class, f.errors[code])
		}
	}
	add(ClassStatus, f.refused)
	add(ClassCheck, f.wrong)
	return out
}
