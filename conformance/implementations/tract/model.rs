// A model of one Reshape, which the plug-ins and the scripts of deviations/ ask.
use tract_onnx::pb::tensor_shape_proto::{dimension::Value, Dimension};
use tract_onnx::pb::{attribute_proto::AttributeType, type_proto, *};
use tract_onnx::prelude::*;

// The type is one of TensorProto.DataType; without a constant the pattern is a second input.
#[derive(Clone, Default)]
pub struct Question {
    pub operator_set: i64,
    pub data_type: i32,
    pub data: Vec<i64>,
    pub pattern_type: i32,
    pub pattern_shape: Vec<i64>,
    pub pattern: Option<Vec<u8>>,
    pub allowzero: Option<i64>,
}

fn input(name: &str, elem_type: i32, sizes: &[i64]) -> ValueInfoProto {
    let dim = sizes
        .iter()
        .map(|&size| Dimension { value: Some(Value::DimValue(size)), ..Default::default() });
    let shape = Some(TensorShapeProto { dim: dim.collect() });
    let tensor = type_proto::Value::TensorType(type_proto::Tensor { elem_type, shape });
    let r#type = Some(TypeProto { value: Some(tensor), ..Default::default() });
    ValueInfoProto { name: name.into(), r#type, ..Default::default() }
}

pub fn proto(question: &Question) -> ModelProto {
    let allowzero = question.allowzero.map(|i| AttributeProto {
        name: "allowzero".into(),
        r#type: AttributeType::Int as i32,
        i,
        ..Default::default()
    });
    let node = NodeProto {
        input: vec!["data".into(), "shape".into()],
        output: vec!["reshaped".into()],
        name: "reshape".into(),
        op_type: "Reshape".into(),
        attribute: allowzero.into_iter().collect(),
        ..Default::default()
    };
    let mut graph = GraphProto {
        node: vec![node],
        name: "graph".into(),
        input: vec![input("data", question.data_type, &question.data)],
        output: vec![ValueInfoProto { name: "reshaped".into(), ..Default::default() }],
        ..Default::default()
    };
    match &question.pattern {
        Some(raw_data) => graph.initializer.push(TensorProto {
            name: "shape".into(),
            dims: question.pattern_shape.clone(),
            data_type: question.pattern_type,
            raw_data: raw_data.clone(),
            ..Default::default()
        }),
        None => graph.input.push(input("shape", question.pattern_type, &question.pattern_shape)),
    }
    ModelProto {
        ir_version: 10,
        opset_import: vec![OperatorSetIdProto {
            version: question.operator_set,
            ..Default::default()
        }],
        graph: Some(graph),
        ..Default::default()
    }
}

pub fn loaded(question: &Question) -> TractResult<InferenceModel> {
    tract_onnx::onnx().model_for_proto_model(&proto(question))
}
